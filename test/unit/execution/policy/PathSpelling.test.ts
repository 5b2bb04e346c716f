import { describe, expect, it } from 'vitest';
import { PathFault } from '@core/execution/policy/PathFault';
import { PathSpelling } from '@core/execution/policy/PathSpelling';

const check = (path: string, windows = false): PathFault | undefined => PathSpelling.check(path, { refuseTrailingDots: windows });

describe('PathSpelling', () => {
  const plain = [
    'a.txt', 'notes/today.txt', './a', 'a//b', 'a/./b', '.config/app.json', '...', 'v1..', '/abs/path', '100%.txt', '50%-off', 'a%20b.txt',
    '%E6%96%87.txt', 'Foo$Bar.class', 'file~', 'a~1', '文档/报告：终稿（2024）.txt', '会议……纪要', '½', 'é', 'é', '👩‍👧.png', 'conference', 'com10', 'nullable.txt',
    'console.log', 'auxiliary', '[id].tsx', '-rf', 'a&b', 'x=1', ' a',
  ];
  it.each(plain)('lets %j pass', (path) => {
    expect(check(path)).toBeUndefined();
  });

  const refused: Array<[string, PathFault]> = [
    ['', PathFault.malformed], ['a\ud800', PathFault.malformed], ['\udc00a', PathFault.malformed],
    ['a'.repeat(256), PathFault.tooLong], ['文'.repeat(86), PathFault.tooLong], ['a/'.repeat(2100), PathFault.tooLong], ['文/'.repeat(1100), PathFault.tooLong],
    ['..', PathFault.parentSegment], ['a/../b', PathFault.parentSegment], ['a/..', PathFault.parentSegment], ['/../x', PathFault.parentSegment],
    ['a\0', PathFault.control], ['a\nb', PathFault.control], ['\x1b[0m', PathFault.control], ['a\x85', PathFault.control], ['a\u2028', PathFault.control], ['\x7f', PathFault.control],
    ['\u202etxt.exe', PathFault.invisible], ['a\u200bb', PathFault.invisible], ['\ufeffa', PathFault.invisible], ['a\u00adb', PathFault.invisible],
    ['a\\b', PathFault.windowsForm], ['C:x', PathFault.windowsForm], ['c:/x', PathFault.windowsForm], ['//server/share', PathFault.windowsForm],
    ['a:b', PathFault.windowsForm], ['file:///etc/passwd', PathFault.windowsForm], ['CON', PathFault.windowsForm], ['x/nul.txt', PathFault.windowsForm], ['Lpt9.a.b', PathFault.windowsForm],
    ['com¹', PathFault.windowsForm], ['prn .txt', PathFault.windowsForm], ['ＣＯＮ', PathFault.windowsForm], ['a ', PathFault.windowsForm], ['a /b', PathFault.windowsForm], ['conin$', PathFault.windowsForm],
    ['~', PathFault.expansion], ['~/x', PathFault.expansion], ['~root/x', PathFault.expansion], ['$HOME/x', PathFault.expansion], ['a/$HOME', PathFault.expansion],
    ['a${X}', PathFault.expansion], ['$(id)', PathFault.expansion], ['%TEMP%/x', PathFault.expansion], ['a/%ProgramFiles(x86)%', PathFault.expansion],
    ['%2e%2e/x', PathFault.encoded], ['..%2fx', PathFault.encoded], ['%5c', PathFault.encoded], ['%252e', PathFault.encoded], ['a%00', PathFault.encoded], ['%c0%ae', PathFault.encoded],
    ['%C1%9C', PathFault.encoded], ['%e0%80%af', PathFault.encoded], ['%f0%80%80%af', PathFault.encoded], ['%e0%81%81', PathFault.encoded], ['%ed%a0%80', PathFault.encoded], ['%ff', PathFault.encoded], ['%e6%96', PathFault.encoded],
    ['a%u002e', PathFault.encoded], ['%U2215x', PathFault.encoded], ['%ef%bc%8f', PathFault.encoded], ['%E2%80%A4%E2%80%A4', PathFault.encoded], ['x%20%2e', PathFault.encoded], ['%c2%85', PathFault.encoded],
    ['．．/x', PathFault.lookAlike], ['․․/x', PathFault.lookAlike], ['‥/x', PathFault.lookAlike], ['..／x', PathFault.lookAlike], ['a∕b', PathFault.lookAlike], ['a＼b', PathFault.lookAlike],
    ['.\u200d./x', PathFault.lookAlike], ['℀', PathFault.lookAlike], ['﹒﹒', PathFault.lookAlike],
  ];
  it.each(refused)('EXE-16 refuses %j as %s', (path, fault) => {
    expect(check(path)).toBe(fault);
  });

  it('refuses a dot at the end only where the system drops it', () => {
    expect([check('a.'), check('a.', true), check('a./b', true), check('.', true)]).toEqual([undefined, PathFault.windowsForm, PathFault.windowsForm, undefined]);
  });

  it('refuses what is no text', () => {
    for (const value of [undefined, null, 5, {}, ['a']]) expect(check(value as never)).toBe(PathFault.malformed);
  });
});
