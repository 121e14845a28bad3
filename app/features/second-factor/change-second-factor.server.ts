/** Setting up the owner's second factor, renewing her recovery codes, turning it off (037). */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { askAuth, type Asker } from '#app/features/accounts/ask-auth.server.ts'
import { closeSessions, deleteSessions } from '#app/features/devices/devices.server.ts'
import { proveItsYou } from '#app/features/profile/prove-its-you.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import { appAddress, CHANGED_ELSEWHERE, CODE_IS_INVALID, isKey, keyIn, readCode } from './second-factor.ts'
import { countRecoveryCodes, tellOwner, tellOwnerIn } from './tell-owner.server.ts'
import { claimCode } from './used-codes.server.ts'

export type SecondFactor = { isOn: boolean; codesLeft: number }
export type SetUp = { key: string; qr: QrDrawing }
export type Refused = { ok: false; status: number; error: string }
type Owner = Pick<User, 'id' | 'email' | 'sessionId'>

export async function readSecondFactor(shop: Pick<Shop, 'db' | 'auth'>): Promise<SecondFactor> {
  const { twoFactorEnabled } = await shop.db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', ADMIN_ID)
    .executeTakeFirstOrThrow()
  const isOn = Boolean(twoFactorEnabled)
  return { isOn, codesLeft: isOn ? await countRecoveryCodes(shop, ADMIN_ID) : 0 }
}

const elsewhere: Refused = { ok: false, status: 409, error: CHANGED_ELSEWHERE }

async function waits({ shop, page }: Asker, { id }: Owner): Promise<Refused | null> {
  const seconds = await shop.limits.secondsToWait('second-factor', { address: page.clientAddress, account: id })
  return seconds > 0 ? tooMany(page, seconds) : null
}

/** What the app needs; nothing counts before a code of it has come back. Each beginning makes a new key, and the one before is worth nothing. */
export async function beginSetUp(asker: Asker, owner: Owner, form: FormData): Promise<({ ok: true } & SetUp) | Refused> {
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const { answer } = await askAuth(asker, '/two-factor/enable', { password: textOf(form, 'password') })
  return answer.totpURI ? { ok: true, ...(await drawSetUp(asker.shop, owner, keyIn(answer.totpURI))) } : elsewhere
}

async function drawSetUp(shop: Shop, { email }: Owner, key: string): Promise<SetUp> {
  const { name: shopName } = await readSettings(shop.db)
  return { key, qr: drawQr(appAddress({ shopName, email, key })) }
}

export type Confirmed = { ok: true; codes: string[] } | (Refused & { setUp: SetUp | null })

/** The first code of the app turns it on: sessions that were made with the password alone end, and the recovery codes are shown, once. */
export async function confirmSetUp(asker: Asker, owner: Owner, form: FormData): Promise<Confirmed> {
  const { shop } = asker
  const key = textOf(form, 'key')
  const again = async (refused: Refused): Promise<Confirmed> => ({
    ...refused,
    setUp: isKey(key) ? await drawSetUp(shop, owner, key) : null,
  })
  if ((await readSecondFactor(shop)).isOn) return { ...elsewhere, setUp: null }
  const wait = await waits(asker, owner)
  if (wait) return again(wait)
  const typed = readCode(textOf(form, 'code'))
  if (typed?.kind !== 'app') return again({ ok: false, status: 422, error: CODE_IS_INVALID })
  const asked = await askAuth(asker, '/two-factor/verify-totp', { code: typed.code })
  if (asked.code === 'TOTP_NOT_ENABLED') return { ...elsewhere, setUp: null }
  if (asked.status !== 200) return again({ ok: false, status: 422, error: CODE_IS_INVALID })
  await claimCode(shop.db, ADMIN_ID, typed.code, shop.now())
  await tellAndEndOthers(asker, owner, 'turn-second-factor-on')
  return { ok: true, codes: await recoveryCodes(shop) }
}

const recoveryCodes = async ({ auth }: Shop): Promise<string[]> =>
  (await auth.api.viewBackupCodes({ body: { userId: ADMIN_ID } })).backupCodes

/**
 * History and letter, with the end of every other session of hers, also of the one that the library has made in the place of this one, which
 * stays as it is.
 */
async function tellAndEndOthers({ shop }: Asker, { sessionId }: Owner, act: 'turn-second-factor-on' | 'turn-second-factor-off') {
  const ended = await transact(shop.db, async (tx) => {
    await tellOwnerIn(tx, shop, act)
    return deleteSessions(tx, ADMIN_ID, sessionId)
  })
  closeSessions(shop, ended)
  shop.live.changed('mail')
}

/** Both factors once more, before one of them is touched. Password first: it is asked of everybody, and wrong codes cost tries. */
async function proveBoth(asker: Asker, owner: Owner, form: FormData): Promise<{ ok: true } | Refused> {
  const { shop } = asker
  if (!(await readSecondFactor(shop)).isOn) return elsewhere
  const wait = await waits(asker, owner)
  if (wait) return wait
  const typed = readCode(textOf(form, 'code'))
  if (!typed) return { ok: false, status: 422, error: CODE_IS_INVALID }
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const path = typed.kind === 'app' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
  const { status } = await askAuth(asker, path, { code: typed.code })
  const isGood = status === 200 && (typed.kind === 'recovery' || (await claimCode(shop.db, ADMIN_ID, typed.code, shop.now())))
  if (!isGood) return { ok: false, status: 403, error: CODE_IS_INVALID }
  await shop.limits.giveBack('second-factor', { address: asker.page.clientAddress, account: owner.id })
  return { ok: true }
}

/** Ten new ones; the older ones count no more. */
export async function renewRecoveryCodes(asker: Asker, owner: Owner, form: FormData): Promise<{ ok: true; codes: string[] } | Refused> {
  const proof = await proveBoth(asker, owner, form)
  if (!proof.ok) return proof
  const { answer } = await askAuth(asker, '/two-factor/generate-backup-codes', { password: textOf(form, 'password') })
  if (!answer.backupCodes) return elsewhere
  await tellOwner(asker.shop, 'make-recovery-codes')
  return { ok: true, codes: answer.backupCodes }
}

export async function turnOff(asker: Asker, owner: Owner, form: FormData): Promise<{ ok: true } | Refused> {
  const proof = await proveBoth(asker, owner, form)
  if (!proof.ok) return proof
  const { status } = await askAuth(asker, '/two-factor/disable', { password: textOf(form, 'password') })
  if (status !== 200) return elsewhere
  await tellAndEndOthers(asker, owner, 'turn-second-factor-off')
  return { ok: true }
}
