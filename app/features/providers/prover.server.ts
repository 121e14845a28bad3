/** Who can prove for her that it is she: the provider of an account that has no password (S-211). */
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { User } from '#app/platform/context.ts'
import type { ProviderChoice } from '#app/platform/providers.server.ts'
import { takeFailure } from './provider-failure.server.ts'
import type { Failed } from './provider-try.ts'

export type Prover = { provider: ProviderChoice; failed: Failed | null }

/** null: none that is set can. */
export async function readProver({ shop, page, request }: Asker, user: Pick<User, 'id'>): Promise<Prover | null> {
  const failed = takeFailure(request, page)
  const accounts = await shop.db.selectFrom('account').select('providerId').where('userId', '=', user.id).execute()
  const known = shop.providers.list.find(({ id }) => accounts.some(({ providerId }) => providerId === id))
  return known ? { provider: { id: known.id, name: known.name }, failed } : null
}
