import { PatternSecretRule, SecretRule } from './SecretRule';

const ID_WEIGHTS: ReadonlyArray<number> = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const ID_CHECKS: string = '10X98765432';
const CARD_MIN: number = 15;
const NO_DIGIT: RegExp = new RegExp('[^0-9]', 'g');

/** Phone, identity, passport and bank card numbers, mail addresses: for apps that do not want them in results, logs and model requests. */
export class PersonalRules {
  static all(): ReadonlyArray<SecretRule> {
    return [
      new PatternSecretRule('id-number', '[1-9][0-9]{16}[0-9Xx]', isIdNumber),
      new PatternSecretRule('card', '[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{3,4}(?:[ -]?[0-9]{1,3})?', isCard),
      new PatternSecretRule('phone', '1[3-9][0-9][ -]?[0-9]{4}[ -]?[0-9]{4}'),
      new PatternSecretRule('phone', '(?:\\+1[ .-]?)?\\([2-9][0-9]{2}\\)[ .-]?[0-9]{3}[ .-][0-9]{4}'),
      new PatternSecretRule('phone', '\\+[1-9][0-9]{0,2}[ .-]?[0-9]{2,4}[ .-]?[0-9]{3,4}[ .-]?[0-9]{3,4}'),
      new PatternSecretRule('email', '[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\\.){1,8}[A-Za-z]{2,24}'),
      new PatternSecretRule('passport', '[EGDSP][0-9]{8}')
    ];
  }
}

/** The check digit of an 18-digit resident id (GB 11643). */
function isIdNumber(found: string): boolean {
  let sum: number = 0;
  for (let at: number = 0; at < ID_WEIGHTS.length; at++) {
    sum += ID_WEIGHTS[at] * (found.charCodeAt(at) - 0x30);
  }
  return ID_CHECKS.charAt(sum % 11) === found.charAt(17).toUpperCase();
}

/** The Luhn check digit. */
function isCard(found: string): boolean {
  const digits: string = found.replace(NO_DIGIT, '');
  let sum: number = 0;
  for (let back: number = 0; back < digits.length; back++) {
    const digit: number = digits.charCodeAt(digits.length - 1 - back) - 0x30;
    const doubled: number = back % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length >= CARD_MIN && sum % 10 === 0;
}
