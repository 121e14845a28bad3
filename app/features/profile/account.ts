/** What the account page knows of the one who looks at it; every section takes its own part of it. */
import type { DeviceLine } from '#app/features/devices/devices.ts'
import type { Belongings } from '#app/features/leaving/leaving.ts'
import type { AccountAddress } from '#app/features/address-proof/proof.ts'
import type { User } from '#app/platform/context.ts'
import type { SecondFactor } from '#app/features/second-factor/change-second-factor.server.ts'
import type { Prover } from '#app/features/providers/prover.server.ts'
import type { ProofWay } from './proof.ts'

export type Account = {
  user: Pick<User, 'id' | 'name' | 'email' | 'image' | 'role'>
  proof: ProofWay
  /** who stands for a password that she has not (032) */
  prover: Prover | null
  devices: DeviceLine[]
  timeZone: string
  address: AccountAddress
  /** the owner's; null for everybody else (037) */
  secondFactor: SecondFactor | null
  belongings: Belongings
}
