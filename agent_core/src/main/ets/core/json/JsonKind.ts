/** The six kinds of JSON value (RFC 8259). */
export enum JsonKind {
  nullValue = 'null',
  booleanValue = 'boolean',
  numberValue = 'number',
  stringValue = 'string',
  arrayValue = 'array',
  objectValue = 'object'
}
