/** What the provider of a test remembers, as long as it runs. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

export function openMemory(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()
  const find = (has: (payload: AdapterPayload) => boolean) => [...kept.values()].find(has)
  return (model): Adapter => ({
    upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
    find: async (id) => kept.get(`${model} ${id}`),
    findByUid: async (uid) => find((payload) => payload.uid === uid),
    findByUserCode: async (code) => find((payload) => payload.userCode === code),
    destroy: async (id) => void kept.delete(`${model} ${id}`),
    consume: async (id) => void Object.assign(kept.get(`${model} ${id}`) ?? {}, { consumed: true }),
    async revokeByGrantId(grant) {
      for (const [key, payload] of kept) if (payload.grantId === grant) kept.delete(key)
    },
  })
}
