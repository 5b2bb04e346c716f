import { UsageError } from '../UsageError';

/** Where an online model is found. */
export interface OnlineAddress {
  readonly baseUrl: string;
  readonly model: string;
}

export const LANGUAGES: readonly string[] = ['en', 'zh'];
export const DEATHS: readonly string[] = ['after-effect', 'after-decision'];

/** The flags of `arkagent demo`, as the command line library hands them over. */
export interface DemoFlags {
  dir: string;
  lang: string;
  auto?: boolean;
  reset?: boolean;
  json?: boolean;
  once?: boolean;
  ask?: string;
  baseUrl?: string;
  model?: string;
  /** A folder for the workspace tools. */
  workspace?: string;
  /** Hosts that fetch_url may reach. */
  allowHost?: string[];
  /** Hidden: part of the story that `--auto` tells. */
  die?: string;
}

/** Throws UsageError for flags that contradict each other or cannot be used. */
export function onlineModelOf(flags: Partial<DemoFlags>): OnlineAddress | undefined {
  if (flags.baseUrl === undefined && flags.model === undefined) return undefined;
  if (flags.baseUrl === undefined || flags.model === undefined || flags.model.trim() === '') {
    throw new UsageError('--base-url and --model belong together');
  }
  if (flags.auto === true) throw new UsageError('--auto plays the offline story: leave out --base-url and --model');
  let url: URL;
  try {
    url = new URL(flags.baseUrl);
  } catch {
    throw new UsageError('--base-url must be an http or https address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new UsageError('--base-url must be an http or https address');
  if (url.username !== '' || url.password !== '') throw new UsageError('--base-url must not hold a password: put the key into ARKAGENT_API_KEY');
  return { baseUrl: flags.baseUrl, model: flags.model };
}

/** The language of the environment: Chinese where it says so, English otherwise. */
export function languageOf(environment: NodeJS.ProcessEnv): string {
  const said = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || '';
  return said.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
