/** The system's HTTP client as one test drives it: the test plays the server and the system. */
export class FakeHttpRequest {
  static readonly made: FakeHttpRequest[] = [];
  static createFails: Error | undefined;
  url = '';
  options: Record<string, unknown> = {};
  destroyed = 0;
  settle: (status: number) => void = () => {};
  reject: (error: Error) => void = () => {};
  private readonly listeners = new Map<string, (value: unknown) => void>();

  on(type: string, listener: (value: unknown) => void): void {
    this.listeners.set(type, listener);
  }

  off(type: string): void {
    this.listeners.delete(type);
  }

  get listening(): number {
    return this.listeners.size;
  }

  destroy(): void {
    this.destroyed++;
  }

  requestInStream(url: string, options: Record<string, unknown>): Promise<number> {
    this.url = url;
    this.options = options;
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.reject = reject;
    });
  }

  emit(type: string, value: unknown): void {
    this.listeners.get(type)?.(value);
  }
}

export const http = {
  RequestMethod: { GET: 'GET', POST: 'POST' },
  createHttp(): FakeHttpRequest {
    if (FakeHttpRequest.createFails !== undefined) throw FakeHttpRequest.createFails;
    const request = new FakeHttpRequest();
    FakeHttpRequest.made.push(request);
    return request;
  },
};

/** The name service as a test answers for it. */
export const connection = {
  answer: (_host: string): { address: string; family?: number }[] => [],
  getAddressesByName: async (host: string): Promise<{ address: string; family?: number }[]> => connection.answer(host),
};
