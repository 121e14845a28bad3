import type { ActionResult } from '#app/ui/action-result.ts'
import { providerTexts } from '#app/features/auth/oauth/texts.ts'
import { verificationTexts } from '#app/features/auth/email-verification/texts.ts'
import { deleteAccountTexts, devicesTexts, passwordTexts, profileTexts } from './texts.ts'

/** Maps each form of the account page to the result that the page shows when saving fails or the browser has lost its connection. */
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

/** The name of a form on the account page, which is also the last segment of the URL to which the form is sent. */
export type AccountForm = keyof typeof failedResults
export const isAccountForm = (text: string): text is AccountForm =>
  Object.hasOwn(failedResults, text)
