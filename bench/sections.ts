/** The parts of a document that measurements write; what people wrote around them stays. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Area } from './areas.ts'

const addressOf = (document: Area['document']) => new URL(`../docs/${document}.md`, import.meta.url)

/** Gives back the document with the text in its place: where this part stood before, else at the end. */
export function withSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const section = `${start}\n\n${text.trim()}\n\n${end}`
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`
  return page.slice(0, from) + section + page.slice(to + end.length)
}

export async function writeSection(document: Area['document'], name: string, text: string): Promise<void> {
  const address = addressOf(document)
  const page = await readFile(address, 'utf8').catch(() => '')
  await writeFile(address, withSection(page, name, text))
}
