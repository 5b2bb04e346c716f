/** Ports above 1023 at which services answer that trust whoever reaches them, or that take an HTTP request for commands. */
const REFUSED: ReadonlySet<number> = new Set<number>([
  1080, 1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5555,
  5672, 5900, 5984, 5985, 5986, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9042, 9092, 9200, 9300, 10080,
  10250, 11211, 15672, 27017, 50070
]);

/** Which ports of public hosts may be used. */
export class PortRules {
  private readonly allowed: ReadonlySet<number> | undefined;

  /** @param allowed only these; undefined: 80, 443 and those above 1023 without the ports of databases and the like */
  constructor(allowed: ReadonlyArray<number> | undefined) {
    this.allowed = allowed === undefined ? undefined : new Set<number>(allowed);
  }

  allows(port: number): boolean {
    if (this.allowed !== undefined) {
      return this.allowed.has(port);
    }
    return port === 443 || port === 80 || (port > 1023 && !REFUSED.has(port));
  }
}
