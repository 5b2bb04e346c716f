export function killDemo(options: { kills?: number; seed?: number; cli: string; write?: (line: string) => void }): Promise<{
  kills: number;
  stories: number;
  unknown: number;
  problems: string[];
}>;
