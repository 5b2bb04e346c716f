import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, repositoryRoot } from './sources';

const BINARY = /\.(png|jpg|gif|webp|ico|woff2?|gz|zip)$/;
const NOT_OURS = /^(package-lock\.json|oh-package-lock\.json5|LICENSE|agent_core\/LICENSE)$/;

interface Rule {
  readonly pattern: RegExp;
  readonly sentence: string;
  /** What the rule must find, written in parts so that this file does not hold it. */
  readonly example: readonly string[];
}

function word(...parts: string[]): string {
  return parts.join('');
}

const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`(^|[\\s"'\`(=:,])/${word('(wo', 'rk|ro', 'ot)')}/`),
    sentence: "holds a path of one person's machine",
    example: ["'/wo", "rk/main'"],
  },
  {
    pattern: new RegExp(word('registry', '\\.[a-z0-9-]+\\.(org|com|cn|net|io|dev)\\b|repo\\.harmony', 'os\\.com|ohpm\\.open', 'harmony\\.cn')),
    sentence: 'names a package registry: that is the setting of a machine, not of the project',
    example: ['https://registry', '.example.org'],
  },
  {
    pattern: new RegExp(`\\b(${word('TO', 'DO')}|${word('FIX', 'ME')}|${word('XX', 'X')}|${word('HA', 'CK')})\\b`),
    sentence: 'holds an open end: finish it, or write it down as an issue or a record',
    example: ['// TO', 'DO: later'],
  },
  {
    pattern: new RegExp(`\\b(it|test|describe|suite|bench)\\.(${word('sk', 'ip')}|${word('on', 'ly')}|${word('to', 'do')}|${word('fai', 'ls')})\\b`),
    sentence: 'switches a test off or all others: every test runs',
    example: ['it.sk', "ip('x')"],
  },
  {
    pattern: new RegExp(`\\bx(${word('i', 't')}|${word('descri', 'be')})\\(`),
    sentence: 'switches a test off: every test runs',
    example: ['xi', "t('x')"],
  },
  {
    pattern: new RegExp(word('Co-Author', 'ed-By|Generated', ' with \\[')),
    sentence: 'holds a commit trailer',
    example: ['Co-Author', 'ed-By: x'],
  },
  {
    pattern: new RegExp(`@ts-(${word('ign', 'ore')}|${word('noch', 'eck')})\\b`),
    sentence: 'switches the compiler off',
    example: ['// @ts-ign', 'ore'],
  },
  {
    pattern: new RegExp(word('-----BEGIN ', '[A-Z ]*PRIVATE KEY|\\bsk-', '[A-Za-z0-9]{32,}')),
    sentence: 'holds what looks like a secret',
    example: ['-----BEGIN ', 'RSA PRIVATE KEY-----'],
  },
];

/** Lines that may break a rule, by path and sentence, with the reason. */
const ALLOWED: readonly { readonly path: string; readonly sentence: string; readonly reason: string }[] = [
  { path: 'test/gate/planted.mjs', sentence: 'switches the compiler off', reason: 'the planted violation that the gate has to find' },
];

function findings(path: string, text: string): string[] {
  const found: string[] = [];
  for (const rule of RULES) {
    if (ALLOWED.some((one) => one.path === path && one.sentence === rule.sentence)) continue;
    text.split('\n').forEach((line, index) => {
      if (rule.pattern.test(line)) found.push(`${path}:${index + 1} ${rule.sentence}: ${line.trim().slice(0, 120)}`);
    });
  }
  return found;
}

describe('repository hygiene', () => {
  const files = repositoryFiles().filter((path) => !BINARY.test(path) && !NOT_OURS.test(path));

  it('holds no machine path, registry, open end, switched-off test or secret', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => findings(path, readFileSync(join(repositoryRoot, path), 'utf8')))).toEqual([]);
  });

  it.each(RULES.map((rule) => [rule.example.join(''), rule.sentence] as const))('finds %s', (example, sentence) => {
    expect(findings('any.ts', example).join('\n')).toContain(sentence);
  });

  it('leaves a conditional skip alone', () => {
    expect(findings('any.test.ts', "it.skipIf(!exists)('reads the recorded streams', run);")).toEqual([]);
  });

  it('holds text files with line feeds only', () => {
    expect(files.filter((path) => readFileSync(join(repositoryRoot, path), 'utf8').includes('\r\n') && !path.includes('/fixtures/'))).toEqual([]);
  });
});
