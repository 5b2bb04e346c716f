/** Want agents as data, so that a test can look into them. */
export const wantAgent = {
  OperationType: { START_ABILITY: 1 },
  WantAgentFlags: { UPDATE_PRESENT_FLAG: 3 },
  getWantAgent: async (info: unknown): Promise<unknown> => info,
};
