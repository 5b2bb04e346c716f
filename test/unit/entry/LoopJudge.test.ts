import { CancellationController } from '@core/base/Cancellation';
import { StreamObserver } from '@core/base/StreamObserver';
import { AgentMessage } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ModelRequest } from '@core/model/ModelRequest';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { describe, expect, it } from 'vitest';
import { LoopJudge } from '@entry/app/LoopJudge';

function judgeOf(answer: string | undefined, seen: ModelRequest[] = []) {
  return new LoopJudge({
    stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>): void {
      seen.push(request);
      if (answer === undefined) {
        observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'down'));
        return;
      }
      for (const piece of answer.match(/.{1,7}/gs) ?? []) observer.onNext(StreamingEvent.textDelta(piece));
      observer.onComplete();
    },
  });
}

const messages = MessageList.of(Array.from({ length: 60 }, (_, i) => AgentMessage.user(`step ${i} ${'x'.repeat(2000)}`)));
const ask = (answer: string | undefined, seen?: ModelRequest[]) => judgeOf(answer, seen).diagnose(messages, CancellationController.never());

describe('LoopJudge', () => {
  it('reads a verdict, also with words around it', async () => {
    expect(await ask('Sure: {"is_loop": true, "confidence": 0.9, "reason": "again"} .')).toEqual({ isLoop: true, confidence: 0.9, reason: 'again' });
  });

  it.each([undefined, '', 'no idea', '{"is_loop": tru', '[]', '{"is_loop": "yes", "confidence": "high"}'])('takes %j for "no loop"', async (answer) => {
    expect((await ask(answer)).isLoop).toBe(false);
  });

  it('shows a bounded protocol and no tools', async () => {
    const seen: ModelRequest[] = [];
    await ask('{}', seen);
    expect(seen[0].tools).toEqual([]);
    expect(seen[0].messages.length).toBe(1);
    expect(seen[0].messages.at(0)!.text().length).toBeLessThan(20_000);
    expect(seen[0].messages.at(0)!.text()).toContain('step 59');
  });
});
