/** The names of the tools that look after jobs. */
export class JobNames {
  static readonly STATUS: string = 'job_status';
  static readonly TAIL: string = 'job_tail';
  static readonly CANCEL: string = 'job_cancel';
}
