/**
 * One violation per rule family. `rule` must be among the findings of that snippet; the number is the one in the build output (10605nnn).
 * A snippet with `extension: '.ts'` is not presented under an .ets name; `files` are further files beside it.
 *
 * @type {{ name: string, rule: string, code: string, extension?: string, files?: Record<string, string> }[]}
 */
export const planted = [
  { name: 'any', rule: 'arkts-8', code: 'export function f(x: any): number { return x as number; }' },
  { name: 'unknown', rule: 'arkts-8', code: 'export function f(x: unknown): string { return typeof x; }' },
  { name: 'inferred any', rule: 'arkts-8', code: "export function f(): number { const o = JSON.parse('{}'); return 1; }" },
  { name: 'structural typing', rule: 'arkts-30', code: 'class A { x: number = 1; }\nclass B { x: number = 2; }\nexport const a: A = new B();' },
  { name: 'object literal without a type', rule: 'arkts-38', code: 'export const o = { a: 1 };' },
  { name: 'object literal of a class with methods', rule: 'arkts-38', code: 'class A { x: number = 1; m(): void {} }\nexport const a: A = { x: 1, m: () => {} };' },
  { name: 'array of untyped literals', rule: 'arkts-43', code: 'export const a = [{ x: 1 }];' },
  { name: 'object literal type', rule: 'arkts-40', code: 'export type P = { a: number };' },
  { name: 'inline object literal type', rule: 'arkts-40', code: 'export function f(p: { a: number }): number { return p.a; }' },
  { name: 'destructuring declaration', rule: 'arkts-74', code: 'export function f(a: number[]): number { const [x, y] = a; return x + y; }' },
  { name: 'destructuring assignment', rule: 'arkts-69', code: 'export function f(a: number[]): number { let x: number = 0; let y: number = 0; [x, y] = a; return x + y; }' },
  { name: 'destructuring parameter', rule: 'arkts-91', code: 'class P { a: number = 1; }\nexport const f = ({ a }: P): number => a;' },
  { name: 'index access by string', rule: 'arkts-29', code: "class P { a: number = 1; }\nexport function f(p: P): number { return p['a']; }" },
  { name: 'indexed access type', rule: 'arkts-28', code: "class P { a: number = 1; }\nexport type T = P['a'];" },
  { name: 'index signature', rule: 'arkts-17', code: 'export interface I { [k: string]: number }' },
  { name: 'object spread', rule: 'arkts-99', code: 'class P { a: number = 1; }\nexport function f(p: P): P { const q: P = { ...p }; return q; }' },
  { name: 'function expression', rule: 'arkts-46', code: 'export const f = function (): number { return 1; };' },
  { name: 'nested function', rule: 'arkts-92', code: 'export function f(): number { function g(): number { return 1; } return g(); }' },
  { name: 'generator', rule: 'arkts-94', code: 'export function* g(): Generator<number> { yield 1; }' },
  { name: 'in operator', rule: 'arkts-66', code: "class P { a: number = 1; }\nexport function f(p: P): boolean { return 'a' in p; }" },
  { name: 'delete', rule: 'arkts-59', code: 'class P { a?: number; }\nexport function f(p: P): void { delete p.a; }' },
  { name: 'for-in', rule: 'arkts-80', code: 'export function f(a: number[]): void { for (const i in a) { } }' },
  { name: 'throw of a literal', rule: 'arkts-87', code: "export function f(): void { throw 'x'; }" },
  { name: 'typed catch variable', rule: 'arkts-79', code: 'export function f(): void { try { f(); } catch (e: unknown) { } }' },
  { name: 'comma operator', rule: 'arkts-71', code: 'export function f(): number { let a: number = 1; a = (a++, a); return a; }' },
  { name: 'as const', rule: 'arkts-142', code: "export const a = 'x' as const;" },
  { name: 'type assertion with angle brackets', rule: 'arkts-53', code: 'export function f(o: Object): string { return <string>o; }' },
  { name: 'ts-ignore', rule: 'arkts-146', code: '// @ts-ignore\nexport const a: number = 1;' },
  { name: 'ts-expect-error', rule: 'arkts-146', code: "// @ts-expect-error\nexport const a: number = 'x';" },
  { name: 'definite assignment', rule: 'arkts-134', code: 'export class A { x!: number; }' },
  { name: 'globalThis', rule: 'arkts-137', code: 'export function f(): Object { return globalThis; }' },
  { name: 'bind', rule: 'arkts-140', code: 'class A { m(): void {} }\nexport function f(a: A): void { const g = a.m.bind(a); g(); }' },
  { name: 'call', rule: 'arkts-152', code: 'class A { m(): void {} }\nexport function f(a: A): void { a.m.call(a); }' },
  { name: 'class as a value', rule: 'arkts-149', code: 'class A {}\nfunction g(c: Object): void {}\nexport function f(): void { g(A); }' },
  { name: 'Symbol()', rule: 'arkts-2', code: "export const s = Symbol('x');" },
  { name: 'var', rule: 'arkts-5', code: 'export function f(): number { var a: number = 1; return a; }' },
  { name: 'conditional type', rule: 'arkts-22', code: 'export type C<T> = T extends string ? number : boolean;' },
  { name: 'mapped type', rule: 'arkts-83', code: 'export type M<T> = { [K in keyof T]: string };' },
  { name: 'intersection type', rule: 'arkts-19', code: 'interface A { a: number }\ninterface B { b: number }\nexport type C = A & B;' },
  { name: 'call signature', rule: 'arkts-14', code: 'export interface F { (a: string): number }' },
  { name: 'construct signature', rule: 'arkts-27', code: 'export interface F { new (a: string): Error }' },
  { name: 'this type', rule: 'arkts-21', code: 'export class A { m(): this { return this; } }' },
  { name: 'type predicate', rule: 'arkts-96', code: "export function f(x: Object): x is string { return typeof x === 'string'; }" },
  { name: 'typeof as a type', rule: 'arkts-60', code: 'const a: number = 1;\nexport const b: typeof a = 2;' },
  { name: 'forbidden utility type', rule: 'arkts-138', code: "class P { a: number = 1; b: number = 2; }\nexport type T = Pick<P, 'a'>;" },
  { name: 'generic without type arguments', rule: 'arkts-34', code: 'function make<T>(): T[] { return []; }\nexport function f(): void { make(); }' },
  { name: 'Object.assign', rule: 'arkts-144', code: 'class P { a: number = 1; }\nexport function f(p: P): void { Object.assign(p, p); }' },
  { name: 'Object.freeze', rule: 'arkts-144', code: 'class P { a: number = 1; }\nexport function f(p: P): void { Object.freeze(p); }' },
  { name: 'constructor parameter property', rule: 'arkts-25', code: 'export class A { constructor(private x: number) { } }' },
  { name: '#private', rule: 'arkts-3', code: 'export class A { #x: number = 1; m(): number { return this.#x; } }' },
  { name: 'class expression', rule: 'arkts-50', code: 'export const A = class { };' },
  { name: 'implements a class', rule: 'arkts-51', code: 'class A { }\nexport class B implements A { }' },
  { name: 'this in a static method', rule: 'arkts-93', code: 'export class A { static x: number = 1; static m(): number { return this.x; } }' },
  { name: 'missing return type', rule: 'arkts-90', code: 'function g() { return h(); }\nfunction h() { return 1; }\nexport function f() { return g(); }' },
  { name: 'unary plus on a string', rule: 'arkts-55', code: "export const a: number = +'1';" },
  { name: 'import after a statement', rule: 'arkts-150', code: "export const a: number = 1;\nimport { b } from './other';\nexport const c: number = b;", files: { 'other.ets': 'export const b: number = 1;' } },
  { name: '.ts that imports .ets', rule: 'TS28017', extension: '.ts', code: "import { b } from './other';\nexport const c: number = b;", files: { 'other.ets': 'export const b: number = 1;' } },
  { name: 'plain type error', rule: 'TS2322', code: "export const a: number = 'x';" },
  { name: 'plain type error in .ts', rule: 'TS2322', extension: '.ts', code: "export const a: number = 'x';" },
  { name: 'null without a check', rule: 'TS18047', code: 'export function f(a: string | null): number { return a.length; }' },
  { name: 'syntax error', rule: 'TS1005', code: 'export const a: number = (1;' },
  { name: 'name that is not in the library', rule: 'TS2304', code: 'export function f(): void { structuredClone(1); }' },
  { name: 'member newer than ES2021', rule: 'TS2550', code: 'export function f(a: number[]): number | undefined { return a.at(0); }' },
  { name: 'Node module', rule: 'TS2307', code: "import { readFileSync } from 'node:fs';\nexport const r: string = readFileSync('x', 'utf8');" },
  { name: 'console.log of a number', rule: 'TS2345', code: 'export function f(): void { console.log(1); }' },
  { name: 'unknown kit', rule: 'TS2307', code: "import { x } from '@kit.NoSuchKit';\nexport const y: string = x;" },
  { name: 'kit type error', rule: 'TS2345', code: "import { fileIo } from '@kit.CoreFileKit';\nexport function f(): void { fileIo.closeSync('x'); }" },
  { name: 'ArkUI type error', rule: 'TS2345', code: "@ComponentV2\nexport struct Page {\n  @Local n: number = 1;\n  build() {\n    Column() {\n      Text('a').fontSize(true)\n    }\n  }\n}" },
  { name: 'ArkUI attribute that does not exist', rule: 'TS2339', code: "@ComponentV2\nexport struct Page {\n  build() {\n    Column() {\n      Text('a').noSuchAttribute(1)\n    }\n  }\n}" },
  { name: '@Param that nobody sets', rule: 'TS2564', code: '@ComponentV2\nexport struct Page {\n  @Param title: string;\n  build() {\n    Column() {}\n  }\n}' },
  { name: 'field without a value', rule: 'TS2564', code: 'export class A {\n  name: string;\n}' },
  { name: 'linter inside a struct', rule: 'arkts-8', code: 'function use(x: Object): void {}\n@ComponentV2\nexport struct Page {\n  private raw: any = 1;\n  build() {\n    Column() {}\n  }\n}' },
  { name: 'API above the promised level', rule: 'api-level', code: "import { camera } from '@kit.CameraKit';\nexport function f(q: camera.AutoDeviceSwitchQuery): void { }" },
  { name: 'overload above the promised level', rule: 'api-level', code: "import { camera } from '@kit.CameraKit';\nexport function f(s: camera.PhotoSession): void { s.off('autoDeviceSwitchStatusChange'); }" },
];

/** What must stay silent: the idioms that the rules leave open, one ArkUI page, one kit call, one suite. */
export const clean = {
  'Core.ets': `export interface Options { name: string; limit?: number }
export class Thing {
  private readonly items: Map<string, number> = new Map<string, number>();
  static of(options: Options): Thing {
    const made: Thing = new Thing();
    made.items.set(options.name, options.limit ?? 0);
    return made;
  }
  names(): string[] {
    return Array.from(this.items.keys());
  }
}
export function parse(text: string): Object | null {
  try {
    const raw: Object | null = JSON.parse(text);
    return raw;
  } catch (e) {
    throw e as Error;
  }
}
export const made: Thing = Thing.of({ name: 'a' });
`,
  'Page.ets': `import { hilog } from '@kit.PerformanceAnalysisKit';

@ObservedV2
class Model {
  @Trace title: string = '';
}

@ComponentV2
struct Row2 {
  @Param @Require model: Model;
  @Event onTap: () => void;
  @BuilderParam content: () => void;

  build() {
    Row() {
      Text(this.model.title).fontSize(16).fontColor($r('sys.color.font_primary'))
      Button('ok').onClick(() => this.onTap())
    }
  }
}

@Builder
function header(text: string) {
  Text(text)
}

@Entry
@ComponentV2
struct Page {
  @Local models: Model[] = [];

  build() {
    Column() {
      header('a')
      List() {
        Repeat<Model>(this.models)
          .each((item: RepeatItem<Model>) => {
            ListItem() {
              Row2({ model: item.item, onTap: () => hilog.info(0, 'tag', 'tapped'), content: () => {} })
            }
          })
          .key((item: Model) => item.title)
      }
      if (this.models.length > 0) {
        Blank()
      }
      ForEach(this.models, (item: Model) => {
        Text(item.title)
      })
    }
    .width('100%')
  }
}
`,
  'Clean.test.ets': `import { describe, expect, it } from '@ohos/hypium';

export default function cleanSuite(): void {
  describe('Clean', () => {
    it('passes', 0, () => {
      expect(1).assertEqual(1);
    });
  });
}
`,
};
