/** What libraries print by themselves, taken into the log: as one line, and without what a person typed (046). */
import { format } from 'node:util'
import type { Log } from '../app/platform/log.server.ts'

const SHOWN = 300

export function takeLibrariesLines(log: Log): void {
  const line = (words: unknown[]) =>
    format(...words)
      .split('\n')[0]!
      .slice(0, SHOWN)
  // Quoted is what they were given, an address for instance.
  const told = (words: unknown[]) => ({ said: line(words).replace(/"[^"]*"/g, '"…"') })
  console.warn = (...words: unknown[]) => log.info('a library warns', told(words))
  console.error = (...words: unknown[]) => log.error('a library reports an error', undefined, told(words))
}
