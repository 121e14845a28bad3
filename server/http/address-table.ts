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
    /** Finds the address with the most entries. Removes and returns its oldest preferred entry, or else its oldest entry. Returns undefined if this address has at most MIN_LEAD entries more than `count`. */
    takeOldest(
      count: number,
      isPreferred: (entry: Entry) => boolean = () => true,
    ): Entry | undefined {
      let [address, size] = ['', 0]
      for (const [other, entries] of entriesOf)
        if (entries.size > size) [address, size] = [other, entries.size]
      if (size <= count + MIN_LEAD) return undefined
      const entries = [...entriesOf.get(address)!]
      const taken = entries.find(isPreferred) ?? entries[0]!
      remove(address, taken)
      return taken
    },
  }
}
