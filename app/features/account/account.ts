import type { ActionResult } from '#ui/action-result.ts'
import { providerTexts } from '#auth/oauth/texts.ts'
import { verificationTexts } from '#auth/email-verification/texts.ts'
import { deleteAccountTexts, devicesTexts, passwordTexts, profileTexts } from './texts.ts'

export const failedResults = {
  name: { ok: false, toasts: [profileTexts.failed] },
  photo: {
    ok: false,
    toasts: [profileTexts.failed],
    field: 'file',
    error: profileTexts.photoFailed,
  },
  password: { ok: false, error: passwordTexts.failed },
  devices: { ok: false, toasts: [devicesTexts.failed] },
  data: { ok: false },
  delete: { ok: false, error: deleteAccountTexts.failed },
  unlink: { ok: false, error: providerTexts.unlinkFailed },
  email: { ok: false, error: verificationTexts.notUpdated },
  verification: { ok: false, toasts: [verificationTexts.notSent] },
} satisfies Record<string, ActionResult>

export type AccountForm = keyof typeof failedResults
export const isAccountForm = (text: string): text is AccountForm =>
  Object.hasOwn(failedResults, text)
