/** The guest's way to a lasting account (NAV-41, S-002): a button that leads to a page of its own, with and without script. */
import { UserRoundPlus } from 'lucide-react'
import { Form, useLocation } from 'react-router'

type Props = { className: string | undefined; onLeave: () => void }

export function LinkGuestAccount({ className, onLeave }: Props) {
  const { pathname, search } = useLocation()
  return (
    <Form action="/link-guest/" onSubmit={onLeave}>
      <input type="hidden" name="from" value={pathname + search} />
      <button className={className}>
        <UserRoundPlus size={20} aria-hidden="true" />
        Link Guest Account
      </button>
    </Form>
  )
}
