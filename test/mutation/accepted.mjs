import { EXAMINED } from './examined.mjs';

/*
 * Why survivors may survive. A rule holds for mutants that all its patterns fit: `name` of the file below the core, `mutator`, `text` of the line,
 * mutated `code`, `replacement`. The first rule that fits gives the reason.
 */
const ABSENT = 'No test has the value absent here; where it is there, nothing differs';
const WORD = 'A word or an empty text that nothing depends on';
const COPY = 'A copy that protects against a change which nobody makes';

export const ACCEPTED = [
  ...EXAMINED,
  { mutator: /^OptionalChaining$/, reason: ABSENT },
  { mutator: /^(StringLiteral|ArrayDeclaration|LogicalOperator|BooleanLiteral)$/, code: /^(''|\[\]|.*\?\? .*)$/, text: /\?\?/, reason: ABSENT },
  { mutator: /^ConditionalExpression$/, code: /^[\w.?()[\]]+ !== undefined$/, replacement: /^true$/, reason: ABSENT },
  { mutator: /^ConditionalExpression$/, code: /^[\w.?()[\]]+ === undefined$/, replacement: /^false$/, reason: ABSENT },
  { mutator: /^(EqualityOperator|ConditionalExpression|UpdateOperator)$/, text: /MAX_TRIES|MAX_CANCEL_TRIES/, reason: 'One try more or less, against another owner that never rests' },
  { mutator: /^MethodExpression$/, code: /\.slice\(\)$/, reason: COPY },
  { mutator: /^StringLiteral$/, reason: WORD },
];
