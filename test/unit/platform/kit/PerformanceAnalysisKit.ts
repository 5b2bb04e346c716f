export const hilog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
