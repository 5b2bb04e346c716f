import { describe, expect, it } from 'vitest';
import type { FeatureSession } from '@core/control/AgentFeature';
import { JobBook } from '@core/job/JobBook';
import { Job, JobState } from '@core/job/Job';
import { JobOutput } from '@core/job/JobOutput';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { StateSlice } from '@core/state/StateSlice';

function session(slices = new Map<string, StateSlice>()): FeatureSession {
  const made: Partial<FeatureSession> = {
    sessionId: 's', getSlice: (name) => slices.get(name), putSlice: (name, slice) => { if (slice !== undefined) slices.set(name, slice); },
  };
  return made as FeatureSession;
}

const job = (jobId: string, state = JobState.running): Job => new Job({
  jobId, toolName: 'build', callId: 'c1', batchId: 'b', position: 0, state, hasEffect: true, givenUp: false, startedAtMs: 5, endedAtMs: 0, answer: '',
});

describe('JobBook', () => {
  it('gives an id to no two jobs, also when the first is forgotten', () => {
    const book = new JobBook(session());
    for (let n = 0; n < JobBook.KEPT + 10; n++) {
      const one = job(book.nextId());
      book.add(one);
      book.replace(one.at(JobState.finished, 9, 'x'));
    }
    expect(book.list()).toHaveLength(JobBook.KEPT);
    expect(book.find('job-1')).toBeUndefined();
    expect(book.nextId()).toBe(`job-${JobBook.KEPT + 11}`);
  });

  it('never forgets a job that runs', () => {
    const book = new JobBook(session());
    book.add(job(book.nextId()));
    for (let n = 0; n < JobBook.KEPT + 10; n++) {
      book.add(job(book.nextId(), JobState.finished));
    }
    expect(book.find('job-1')?.running).toBe(true);
    expect(book.list()).toHaveLength(JobBook.KEPT + 1);
  });

  it('keeps every part of a job; what cannot be read is unknown or no job', () => {
    const one = job('job-7').at(JobState.cancelRequested);
    expect(Job.fromJson(one.toJson())).toEqual(one);
    expect(Job.fromJson(one.toJson().setString('state', 'dancing'))?.state).toBe(JobState.unknown);
    expect(Job.fromJson(new JsonObject())).toBeUndefined();
    const slices = new Map([['jobs', new StateSlice(1, new JsonObject().setArray('jobs', [JsonValue.string('x'), JsonValue.object(one.toJson())]))]]);
    expect(new JobBook(session(slices)).list()).toHaveLength(1);
  });

  it('leaves a slice of a newer version alone', () => {
    const slices = new Map([['jobs', new StateSlice(JobBook.VERSION + 1, new JsonObject())]]);
    const book = new JobBook(session(slices));
    expect([book.foreign, book.list()]).toEqual([true, []]);
  });
});

describe('JobOutput', () => {
  it('keeps the last lines, each cut, and counts all', () => {
    const output = new JobOutput();
    for (let n = 0; n < 5000; n++) {
      output.add(`line ${n}`);
    }
    output.add('y'.repeat(10000));
    expect(output.total).toBe(5001);
    expect(output.tail(2).map((line) => line.length)).toEqual([9, JobOutput.MAX_LINE_CHARS]);
    expect(output.tail(100000)).toHaveLength(JobOutput.MAX_LINES);
    expect([output.tail(0), output.tail(-3)]).toEqual([[], []]);
  });

  it('takes the last lines of a report with very many, and cuts between characters', () => {
    const output = new JobOutput();
    output.add('\n'.repeat(200000) + 'a\nb');
    expect(output.tail(2)).toEqual(['a', 'b']);
    output.add('x'.repeat(JobOutput.MAX_LINE_CHARS - 1) + '😀');
    expect(output.tail(1)[0]).toHaveLength(JobOutput.MAX_LINE_CHARS - 1);
  });
});
