import { ToolCall } from '../message/ToolCall';
import { Digest } from '../port/Digest';
import { LoopDetector } from './LoopDetector';

/** What a pollable call brought, as far as a loop is concerned. */
export interface PolledResult {
  text: string;
  isError: boolean;
}

/** Makes the entries of the loop window: the detector's signature, for a pollable tool with a digest of its result (S10). */
export class CallSignatures {
  private readonly detector: LoopDetector;
  private readonly digest: Digest;

  constructor(detector: LoopDetector, digest: Digest) {
    this.detector = detector;
    this.digest = digest;
  }

  /** Entries that a check looks back at. */
  get windowSize(): number {
    return this.detector.windowSize;
  }

  /** @param polled undefined unless the tool declares itself pollable: then only equal results make equal calls */
  of(call: ToolCall, polled: PolledResult | undefined): string {
    const signature: string = this.plain(call);
    return polled === undefined ? signature :
      `${signature}#${this.digest.sha256Hex(`${polled.isError ? 'error' : 'ok'}:${polled.text}`)}`;
  }

  /** A detector that fails must not end a run: then the call stands for itself. */
  private plain(call: ToolCall): string {
    try {
      return this.detector.signatureOf(call);
    } catch (e) {
      return `${call.name}:${call.argumentsJson}`;
    }
  }
}
