/** What the system throws: a number and a text, not always an Error of ours. */
export class BusinessError extends Error {
  constructor(
    readonly code: number,
    message = `error ${code}`,
  ) {
    super(message);
  }
}

export const systemDateTime = {
  TimeType: { STARTUP: 0, ACTIVE: 1 },
  getUptime: (): number => performance.now(),
};
