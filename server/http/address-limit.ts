const CROWDED = 0.75

/** When three quarters of `total` are in use, each address may use only a tenth of `perAddress`. */
export function createAddressLimit({ perAddress, total }: { perAddress: number; total: number }) {
  const counts = new Map<string, number>()
  let inUse = 0

  return {
    inUse: () => inUse,
    tryAdd(address: string) {
      const count = counts.get(address) ?? 0
      const isCrowded = inUse >= total * CROWDED
      const limit = isCrowded ? Math.max(1, perAddress / 10) : perAddress
      if (count >= limit || inUse >= total) return false
      counts.set(address, count + 1)
      inUse += 1
      return true
    },
    release(address: string) {
      const count = counts.get(address)! - 1
      if (count === 0) counts.delete(address)
      else counts.set(address, count)
      inUse -= 1
    },
  }
}
