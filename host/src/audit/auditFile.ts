/** Name of the audit file in a demonstration folder; its end is noted beside it. */
export const AUDIT_FILE = 'audit.jsonl';
