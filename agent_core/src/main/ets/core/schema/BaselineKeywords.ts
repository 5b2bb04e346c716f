import { DescriptionKeyword } from './DescriptionKeyword';
import { ItemsKeyword } from './ItemsKeyword';
import { KeywordSet } from './KeywordSet';
import { PropertiesKeyword } from './PropertiesKeyword';
import { RequiredKeyword } from './RequiredKeyword';
import { SchemaKeyword } from './SchemaKeyword';
import { TypeKeyword } from './TypeKeyword';

const KEYWORDS: ReadonlyArray<SchemaKeyword> = [
  new TypeKeyword(), new RequiredKeyword(), new PropertiesKeyword(), new ItemsKeyword(), new DescriptionKeyword()
];

const BASELINE: KeywordSet = new KeywordSet(KEYWORDS, { typeRequired: true });

/** The default profile: type, required, properties, items, description; every schema object names its type. */
export function baselineKeywords(): KeywordSet {
  return BASELINE;
}
