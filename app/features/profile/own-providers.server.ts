/** By which of the configured providers an account logs in. */
import type { Shop } from '#app/platform/context.ts'
import type { ProviderChoice } from '#app/platform/providers.server.ts'

/** S-220: whoever has no password can prove herself by these. */
export async function listOwnProviders(shop: Pick<Shop, 'db' | 'providers'>, userId: string): Promise<ProviderChoice[]> {
  const own = await shop.db.selectFrom('account').select('providerId').where('userId', '=', userId).execute()
  return shop.providers.list.filter(({ id }) => own.some(({ providerId }) => providerId === id)).map(({ id, name }) => ({ id, name }))
}
