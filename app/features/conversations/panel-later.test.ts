import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^']* from )?'([^']+)'/gm)].map(([, path]) =>
    path!.startsWith('#app/') ? path!.replace('#', '') : path!.startsWith('.') ? join(dirname(file), path!) : '',
  )

/** All style sheets that a module brings along, by way of others too. */
function stylesOf(file: string, seen = new Set<string>()): Set<string> {
  for (const path of importsOf(file)) {
    if (seen.has(path) || path.endsWith('.server.ts') || !existsSync(path)) continue
    seen.add(path)
    if (/\.tsx?$/.test(path)) stylesOf(path, seen)
  }
  return new Set([...seen].filter((path) => path.endsWith('.css')))
}

test('CHAT-01 024 the panel is dressed before its program has come: the frame brings all its styles', () => {
  const own = stylesOf('app/features/conversations/message-panel.tsx')
  expect(own.size).toBeGreaterThan(5)
  const ofFrame = stylesOf('app/root.tsx')
  expect([...own].filter((path) => !ofFrame.has(path))).toEqual([])
})
