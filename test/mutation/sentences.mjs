import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';
const SENTENCE = /\s/;
class Sentences {
  shouldIgnore(path) {
    if (path.isStringLiteral() && SENTENCE.test(path.node.value)) return 'a sentence for people';
    if (path.isTemplateLiteral() && path.node.quasis.some((part) => SENTENCE.test(part.value.raw))) return 'a sentence for people';
    return undefined;
  }
}
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'sentences', new Sentences())];
