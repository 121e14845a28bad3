/** What the account page knows of the one who looks at it; every section takes its own part of it. */
import type { DeviceLine } from '#app/features/devices/devices.ts'
import type { Belongings } from '#app/features/leaving/leaving.ts'
import type { AccountAddress } from '#app/features/address-proof/proof.ts'
import type { Failed } from '#app/features/providers/provider-try.ts'
import type { ProviderChoice } from '#app/platform/providers.server.ts'
import type { User } from '#app/platform/context.ts'
import type { SecondFactor } from '#app/features/second-factor/change-second-factor.server.ts'
import type { ProofWay } from './proof.ts'

export type Account = {
  user: Pick<User, 'id' | 'name' | 'email' | 'image' | 'role'>
  proof: ProofWay
  /** by which it logs in, besides the password or in its place */
  providers: ProviderChoice[]
  /** what proving oneself by one of them came to, where the whole page went there */
  failed: Failed | null
  devices: DeviceLine[]
  timeZone: string
  address: AccountAddress
  /** the owner's; null for everybody else (037) */
  secondFactor: SecondFactor | null
  belongings: Belongings
}
