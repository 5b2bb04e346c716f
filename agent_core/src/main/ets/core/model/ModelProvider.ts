import { CancellationSignal } from '../base/Cancellation';
import { FlowSignal } from '../base/FlowControl';
import { StreamObserver } from '../base/StreamObserver';
import { ModelRequest } from './ModelRequest';
import { StreamingEvent } from './StreamingEvent';

/**
 * A language model. Streaming is the only path; a provider that cannot stream sends one delta.
 *
 * Call sequence of one request:
 *   onNext(textDelta | reasoningDelta)*  →  onNext(modelComplete)  →  onComplete
 *   onNext(textDelta | reasoningDelta)*  →  onNext(modelComplete with outcome error or incomplete)?  →  onError
 *
 * Contract:
 * - Order: exactly one terminal call, nothing after it.
 * - Failure: `stream` must not throw; a throw is treated as `onError(provider_failed)`.
 * - Cancellation: when the signal is cancelled the request is stopped; later calls are ignored by the runtime.
 * - Back-pressure: a provider that can stop its source does so while `flow` is paused. One that cannot leaves it out: what waits
 *   for a slow hook is then bounded by maxResponseChars, and above it the answer ends as provider_stream_too_large.
 * - Tool call ids are unique and not empty in the final response; calls are in the model's order.
 */
export interface ModelProvider {
  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal,
    flow?: FlowSignal): void;
}
