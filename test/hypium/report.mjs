const OUTCOMES = new Map([
  ['0', 'passed'],
  ['-1', 'error'],
  ['-2', 'failed'],
  ['-3', 'skipped'],
]);

/**
 * Reads the text that hypium prints (OHOS_REPORT lines).
 *
 * @returns {{ counts?: { run: number, failure: number, error: number, pass: number, ignore: number },
 *   cases: { suite: string, name: string, outcome: string, detail: string }[] }} counts are absent when the run never finished.
 */
export function parseReport(text) {
  const cases = [];
  let suite = '';
  let name = '';
  let detail = '';
  for (const line of text.split('\n')) {
    const status = /OHOS_REPORT_STATUS: (\w+)=(.*)$/.exec(line);
    const code = /OHOS_REPORT_STATUS_CODE: (-?\d+)/.exec(line);
    if (status !== null) {
      if (status[1] === 'class') suite = status[2].trim();
      else if (status[1] === 'test') name = status[2].trim();
      else if (status[1] === 'stream' || status[1] === 'stack') detail += status[2];
    } else if (code !== null) {
      if (OUTCOMES.has(code[1])) cases.push({ suite, name, outcome: OUTCOMES.get(code[1]), detail: detail.trim() });
      detail = '';
    } else if (detail !== '' && !line.startsWith('OHOS_REPORT')) {
      detail += `\n${line}`;
    }
  }
  const result = /OHOS_REPORT_RESULT: stream=Tests run: (\d+), Failure: (\d+), Error: (\d+), Pass: (\d+), Ignore: (\d+)/.exec(text);
  if (result === null) return { cases };
  const [run, failure, error, pass, ignore] = result.slice(1).map(Number);
  return { counts: { run, failure, error, pass, ignore }, cases };
}
