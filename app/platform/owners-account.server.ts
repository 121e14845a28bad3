/** What the authentication library may never do to the owner's account, and how her second factor is kept (037). */
import type { BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { newRecoveryCode } from './readable-codes.server.ts'

const RECOVERY_CODES = 10

/** Codes of an app every 30 seconds, recovery codes, no codes by mail. Secret and recovery codes are encrypted with the shop's secret. */
export const secondFactor = () =>
  twoFactor({
    // Between the password and the code; longer than it takes to find a telephone.
    twoFactorCookieMaxAge: 600,
    // Ten wrong codes in a row, whoever types them, need the password each time: then nobody gets in for a quarter of an hour.
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    backupCodeOptions: {
      storeBackupCodes: 'encrypted',
      customBackupCodesGenerate: () => Array.from({ length: RECOVERY_CODES }, newRecoveryCode),
    },
  })

/** The library's ways to a session that begin with her password; nothing else lets the owner in, whoever vouches for her address. */
const isHerDoor = (path: string | undefined): boolean => /^\/(sign-in\/email|two-factor\/[a-z-]+|change-password)$/.test(path ?? '')

/** S-232: no session of the owner is made without her password, and she is never deleted. That no other provider is linked to her, see 032. */
export const ownerGuards = (adminId: string) =>
  ({
    user: { delete: { before: async ({ id }) => id !== adminId } },
    account: { delete: { before: async ({ userId }) => userId !== adminId } },
    session: {
      create: { before: async ({ userId }, context) => userId !== adminId || isHerDoor(context?.path) },
      // Turning two-step login on or off would end the very session that does it: her open page loads its data anew before it has the new cookie.
      delete: { before: async ({ userId }, context) => userId !== adminId || !context?.path?.startsWith('/two-factor/') },
    },
  }) satisfies BetterAuthOptions['databaseHooks']
