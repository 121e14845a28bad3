/** An address loses an entry to another address only if it has over this many more. A browser has fewer requests and connections. */
const MIN_LEAD = 20

/** Keeps requests or connections by the client address that opened them. */
export function createAddressTable<Entry>() {
  /** the entries of each address, from the oldest to the newest */
  const entriesOf = new Map<string, Set<Entry>>()
  let total = 0

  function remove(address: string, entry: Entry) {
    const ofAddress = entriesOf.get(address)
    if (!ofAddress?.delete(entry)) return
    total -= 1
    if (ofAddress.size === 0) entriesOf.delete(address)
  }

  return {
    total: () => total,
    countOf: (address: string) => entriesOf.get(address)?.size ?? 0,
    add(address: string, entry: Entry) {
      entriesOf.set(address, (entriesOf.get(address) ?? new Set()).add(entry))
      total += 1
    },
    remove,
    /** Removes and returns the oldest preferred entry, or else the oldest entry, of the address with the most entries, so that a few addresses cannot occupy all places for an address with `count` entries. Returns undefined if no address has many more entries. */
    takeOldest(count: number, isPreferred: (entry: Entry) => boolean = () => true): Entry | undefined {
      const [largest, entries] = [...entriesOf].reduce((one, other) => (other[1].size > one[1].size ? other : one), ['', new Set<Entry>()])
      if (entries.size <= count + MIN_LEAD) return undefined
      const taken = [...entries].find(isPreferred) ?? [...entries][0]!
      remove(largest, taken)
      return taken
    },
  }
}
