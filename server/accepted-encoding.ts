/** Which of its forms an answer may be sent in. Browsers send a handful of different headers: each is judged once. */
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'br' | 'gzip' | 'identity'

const ours: Encoding[] = ['br', 'gzip', 'identity']
const plain: Encoding[] = ['identity']
const judged = new LRUCache<string, readonly Encoding[]>({ max: 100 })

/** In the order of preference; whoever takes none of them gets the plain bytes, which everything can read. */
export function acceptedEncodings(header: string | string[] | undefined): readonly Encoding[] {
  // Without the header anything would be allowed; programs that do not name it seldom unpack.
  if (typeof header !== 'string' || header === '') return plain
  const known = judged.get(header)
  if (known) return known
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(ours)
  const encodings = [...ours.filter((one) => one !== 'identity' && accepted.includes(one)), 'identity' as const]
  if (header.length <= 200) judged.set(header, encodings)
  return encodings
}
