/** The document around every page. */
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useRouteLoaderData } from 'react-router'
import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import fraunces from '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url'
import { NavigationBar } from './features/accounts/navigation-bar.tsx'
import { useShownTheme } from './features/accounts/theme-toggle.tsx'
import { countUnread, readConversation } from './features/orders/conversations.server.ts'
import { isPanelOpen } from './features/orders/message-address.ts'
import { MessagePanel } from './features/orders/message-panel.tsx'
import { readSettings } from './features/settings/settings.server.ts'
import { readHead } from './features/sharing/heads.server.ts'
import { themeColors } from './features/sharing/theme-colors.ts'
import { pageContext, shopContext, userContext } from './platform/context.ts'
import { useLive } from './platform/use-live.ts'
import { takeFlash } from './routes/answer.server.ts'
import { Toasts } from './ui/toasts.tsx'
import type { Route } from './+types/root'
import './ui/tokens.css'
import './ui/base.css'

export const links: Route.LinksFunction = () => [
  ...[figtree, fraunces].map((href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const, href })),
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

/** The head of the address, made on the server (app/features/sharing). Pages with a meta of their own are none that are searched for. */
export const meta: Route.MetaFunction = ({ loaderData, error }) =>
  (!error && loaderData?.head) || [{ title: loaderData?.settings.name ?? 'Knots & Love' }, { name: 'robots', content: 'noindex' }]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const page = context.get(pageContext)
  const user = context.get(userContext)
  const hasPanel = user !== null && user.role !== 'admin' && isPanelOpen(new URL(request.url).search)
  // Read before anything else, so that a change during the reading counts as unseen.
  const version = shop.live.version(user !== null)
  const settings = await readSettings(shop.db)
  return {
    version,
    user: user && { id: user.id, name: user.name, email: user.email, image: user.image, role: user.role },
    theme: page.theme,
    settings,
    // ERR-01: a catalogue that cannot be read is the page's to tell.
    head: await readHead({ db: shop.db, origin: page.origin, settings, url }).catch(() => null),
    timeZone: shop.timeZone,
    unread: user ? await countUnread(shop.db, user) : 0,
    conversation: hasPanel ? await readConversation(shop.db, user.id, user.id) : null,
    flash: takeFlash(request, page),
  }
}

export function Layout({ children }: { children: React.ReactNode }) {
  const theme = useShownTheme(useRouteLoaderData<typeof loader>('root')?.theme ?? 'dark')
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={themeColors[theme]} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function App({ loaderData }: Route.ComponentProps) {
  const { user, theme, settings, unread, conversation, timeZone } = loaderData
  useLive(user?.id ?? null, loaderData.version)
  const isOpen = isPanelOpen(useLocation().search)
  return (
    <>
      <a className="skip button" href="#main">
        Skip to the content
      </a>
      <NavigationBar shopName={settings.name} theme={theme} user={user} unread={unread} />
      <Outlet />
      {isOpen && user && user.role !== 'admin' && (
        <MessagePanel key={user.id} userId={user.id} ownerName={settings.ownerName} conversation={conversation} timeZone={timeZone} />
      )}
      <Toasts first={loaderData.flash} />
    </>
  )
}

/** ERR-01: a failed read is told in the specified words; what a route has to say (ERR-02, ERR-03) in the route's. Never a cause. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  // What begins with "Error: " is the router's own, about routes and their actions.
  const told = isRouteErrorResponse(error) && typeof error.data === 'string' && !error.data.startsWith('Error: ') && error.data
  return (
    <main className="page" id="main">
      <h1>{told || 'A knot came loose'}</h1>
      <p>{told ? 'The page could not be shown.' : 'The page could not be shown: could not fetch data.'} Nothing of yours is lost.</p>
      <a className="button" href="/">
        Back to the shop
      </a>
    </main>
  )
}
