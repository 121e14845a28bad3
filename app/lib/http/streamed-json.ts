export type Batches<Entry = unknown> = AsyncIterable<readonly Entry[]>

export async function* streamJson(fields: object): AsyncGenerator<string> {
  let text = '{'
  let comma = ''
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    text += `${comma}${JSON.stringify(name)}:`
    comma = ','
    if (isBatches(value)) {
      yield text
      yield* streamList(value)
      text = ''
    } else text += JSON.stringify(value)
  }
  yield `${text}}`
}

async function* streamList(parts: Batches): AsyncGenerator<string> {
  yield '['
  let comma = ''
  for await (const part of parts) {
    let text = ''
    for (const entry of part) {
      text += comma
      comma = ','
      if (containsBatches(entry)) {
        yield text
        yield* streamJson(entry)
        text = ''
      } else text += JSON.stringify(entry)
    }
    yield text
  }
  yield ']'
}

const isBatches = (value: unknown): value is Batches =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
const containsBatches = (entry: unknown): entry is object =>
  typeof entry === 'object' && entry !== null && Object.values(entry).some(isBatches)
