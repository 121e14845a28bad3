/** The forms of the page "Link Guest Account": from the posted intent to what is told. */
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { KEPT, MOVED, moveTexts, NOT_MOVED } from './guest-texts.ts'
import { keepGuest } from './keep-guest.server.ts'
import { moveGuest } from './move-guest.server.ts'
import { forgetProof, proveAccount } from './proven-account.server.ts'

/** `told`: done, and what to say where she goes on; null: the page asks before anything moves. */
type Acted = { ok: true; told: string | null } | { ok: false; error: string; help?: string; email: string; status: number }

/** NAV-41, S-002 */
export async function actOnLink(asker: Asker, guest: User, form: FormData): Promise<Acted> {
  const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') }
  const email = credentials.email.slice(0, 254)
  switch (textOf(form, 'intent')) {
    case 'move': {
      if (textOf(form, 'confirm') !== 'Yes') {
        await forgetProof(asker.shop.db, guest.id)
        return { ok: true, told: NOT_MOVED }
      }
      const moved = await moveGuest(asker, guest, textOf(form, 'seen'))
      if (moved.ok) return { ok: true, told: MOVED }
      return { ok: false, error: moveTexts[moved.refusal], email, status: moved.refusal === 'failed' ? 500 : 409 }
    }
    case 'login': {
      const proven = await proveAccount(asker, guest, credentials)
      return proven.ok ? { ok: true, told: null } : { ...proven, email }
    }
    default: {
      const kept = await keepGuest(asker, guest, credentials)
      return kept.ok ? { ok: true, told: KEPT } : { ...kept, email }
    }
  }
}
