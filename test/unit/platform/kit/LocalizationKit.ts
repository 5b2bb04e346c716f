export const i18n = { System: { getAppPreferredLanguage: (): string => 'en-Latn-US' } };
