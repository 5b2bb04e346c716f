import { ErrorCode } from '../base/ErrorCodes';
import { SchemaIssue } from './SchemaIssue';
import { SchemaPath } from './SchemaPath';

const NO_ISSUES: ReadonlyArray<SchemaIssue> = [];

/**
 * The scratch of one validation: where it is and what it found.
 *
 * The place is a stack of names and indexes; its text is made only when there is something to report, so that valid
 * arguments cost no strings.
 */
export class ValidationRun {
  private readonly segments: Array<string | number> = [];
  private readonly maxIssues: number;
  private found: SchemaIssue[] | undefined = undefined;

  constructor(maxIssues: number) {
    this.maxIssues = maxIssues;
  }

  /** True when further issues would be dropped: loops end then, which bounds the time for hostile arguments. */
  get full(): boolean {
    return this.found !== undefined && this.found.length >= this.maxIssues;
  }

  get issues(): ReadonlyArray<SchemaIssue> {
    return this.found ?? NO_ISSUES;
  }

  /** Steps into a member (name) or an element (index); `leave` must follow. */
  enter(segment: string | number): void {
    this.segments.push(segment);
  }

  leave(): void {
    this.segments.pop();
  }

  /** @param demand what the value must be, for example `must be string` */
  report(code: ErrorCode, demand: string): void {
    const path: string = this.path();
    this.add(new SchemaIssue(code, path, `${path} ${demand}`));
  }

  reportMissing(name: string): void {
    this.reportMember(ErrorCode.toolArgumentRequired, 'Missing required argument', name);
  }

  reportUnknown(name: string): void {
    this.reportMember(ErrorCode.toolArgumentUnknown, 'Unknown argument', name);
  }

  /** An argument of the call is named plainly, a member further down by its path. */
  private reportMember(code: ErrorCode, complaint: string, name: string): void {
    const path: string = SchemaPath.member(this.path(), name);
    const subject: string = this.segments.length === 0 ? SchemaPath.shown(name) : path;
    this.add(new SchemaIssue(code, path, `${complaint}: ${subject}`));
  }

  private add(issue: SchemaIssue): void {
    if (this.found === undefined) {
      this.found = [];
    }
    if (this.found.length < this.maxIssues) {
      this.found.push(issue);
    }
  }

  private path(): string {
    let text: string = SchemaPath.ROOT;
    for (const segment of this.segments) {
      text = typeof segment === 'number' ? SchemaPath.element(text, segment) : SchemaPath.member(text, segment);
    }
    return text;
  }
}
