/** JSON of what is too long to be held at once: lists are read a part at a time while they are written (028). */

export type Parts<Entry = unknown> = AsyncIterable<readonly Entry[]>

/** The same text as JSON.stringify gives, where `fields`, or entries of its lists, may hold Parts for a list. */
export async function* jsonText(fields: object): AsyncGenerator<string> {
  let text = '{'
  let comma = ''
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    text += `${comma}${JSON.stringify(name)}:`
    comma = ','
    if (isParts(value)) {
      yield text
      yield* listText(value)
      text = ''
    } else text += JSON.stringify(value)
  }
  yield `${text}}`
}

async function* listText(parts: Parts): AsyncGenerator<string> {
  yield '['
  let comma = ''
  for await (const part of parts) {
    let text = ''
    for (const entry of part) {
      text += comma
      comma = ','
      if (holdsParts(entry)) {
        yield text
        yield* jsonText(entry)
        text = ''
      } else text += JSON.stringify(entry)
    }
    yield text
  }
  yield ']'
}

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && Symbol.asyncIterator in value
const holdsParts = (entry: unknown): entry is object => typeof entry === 'object' && entry !== null && Object.values(entry).some(isParts)
