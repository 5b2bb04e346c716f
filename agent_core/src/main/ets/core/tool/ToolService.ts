/** Something that the app hands to its tools by name: a database, a sensor, a client. */
export interface ToolService {
  readonly serviceId: string;
}

/** The white list of what a tool can reach. Nothing else of the app or the runtime is reachable from a context. */
export class ToolServiceRegistry {
  private readonly services: Map<string, ToolService> = new Map<string, ToolService>();
  private readonly parent: ToolServiceRegistry | undefined;

  constructor(parent?: ToolServiceRegistry) {
    this.parent = parent;
  }

  /** @returns false when the id is taken, empty or reserved (`tool.call`); the first one stays. */
  register(service: ToolService): boolean {
    const id: string = service.serviceId;
    const reserved: boolean = id === ToolServiceRegistry.CALL_SCOPE_ID && this.parent === undefined;
    if (id === '' || reserved || this.services.has(id)) {
      return false;
    }
    this.services.set(id, service);
    return true;
  }

  /** @returns undefined when nothing was registered under the id. */
  get(serviceId: string): ToolService | undefined {
    const own: ToolService | undefined = this.services.get(serviceId);
    if (own !== undefined || this.parent === undefined) {
      return own;
    }
    return this.parent.get(serviceId);
  }

  /** The reserved id of the per-call service (DEC-60). */
  static readonly CALL_SCOPE_ID: string = 'tool.call';
}
