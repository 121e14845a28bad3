import { useEffect } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useMatches, useRouteLoaderData } from 'react-router'
import figtree from './ui/fonts/figtree.woff2?url'
import fraunces from './ui/fonts/fraunces-560.woff2?url'
import { forgetKeyPress, guardSubmit, ignoreDoubleClick, keepPage } from './client/failed-requests.ts'
import { readAway } from './features/messaging/vacation-notice/away.server.ts'
import { countUnreadKept, readConversation } from './features/messaging/conversations.server.ts'
import { beforeOf, isPanelOpen } from '#app/ui/message-address.ts'
import { MessagePanel, warmPanel } from '#app/features/messaging/message-panel.lazy.tsx'
import { NO_CITY } from './features/settings/shop-settings.ts'
import { readSettingsKept } from './features/settings/settings.server.ts'
import { readHeadKept } from './features/seo/heads.server.ts'
import { withoutCrawlerTags } from './features/seo/page-head.ts'
import { themeColors } from './features/seo/manifest.ts'
import { pageContext, shopContext, userContext } from './platform/context.ts'
import { watchConnection } from './platform/connection.ts'
import { useLive } from './platform/use-live.ts'
import { takeFlash } from './routes/answer.server.ts'
import { ConnectionBar } from './ui/connection-bar.tsx'
import { ErrorPage } from './ui/error-page.tsx'
import { Footer } from './ui/layout/footer.tsx'
import { lazyComponent } from './ui/lazy-component.tsx'
import { NavigationBar } from './ui/layout/navigation-bar.tsx'
import { useShownTheme } from './ui/layout/theme-toggle.tsx'
import { Toasts } from './ui/toasts.tsx'
import type { Route } from './+types/root'
import './ui/tokens.css'
import './ui/page-change.css'
import './ui/base.css'
import './ui/patterns.css'

export const links: Route.LinksFunction = () => [
  ...[figtree, fraunces].map((href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const, href })),
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

/** As long as the settings cannot be read. */
const SHOP_NAME = 'Knots & Love'

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPage]

/** The head of the address, made on the server (app/features/seo). Pages with a meta of their own are none that are searched for. */
export const meta: Route.MetaFunction = ({ loaderData, error }) =>
  (!error && loaderData?.head) || [{ title: loaderData?.settings.name ?? SHOP_NAME }, { name: 'robots', content: 'noindex' }]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const page = context.get(pageContext)
  const user = context.get(userContext)
  const { search } = new URL(request.url)
  const hasPanel = user !== null && user.role !== 'admin' && isPanelOpen(search)
  // Read before anything else, so that a change during the reading counts as unseen.
  const version = shop.live.version(user?.id ?? null)
  const settings = await readSettingsKept(shop)
  const { name, city, terms, ownerName, isPromoShown } = settings
  // ERR-01: a catalogue that cannot be read is the page's to tell.
  const head = await readHeadKept(shop, { origin: page.origin, settings, url }).catch(() => null)
  return {
    version,
    user: user && { id: user.id, name: user.name, email: user.email, image: user.image, role: user.role },
    theme: page.theme,
    settings: { name, city, terms, ownerName, isPromoShown },
    head: user ? withoutCrawlerTags(head) : head,
    timeZone: shop.timeZone,
    unread: user ? await countUnreadKept(shop, user) : 0,
    conversation: hasPanel ? await readConversation(shop.db, user.id, user.id, beforeOf(search)) : null,
    away: hasPanel ? await readAway(shop) : null,
    flash: takeFlash(request, page),
  }
}

export function Layout({ children }: { children: React.ReactNode }) {
  const theme = useShownTheme(useRouteLoaderData<typeof loader>('root')?.theme)
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* The canvas has the theme's colour before any style sheet has come. */}
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={themeColors[theme]} />
        <Meta />
        <Links />
      </head>
      <body onSubmitCapture={guardSubmit} onClickCapture={ignoreDoubleClick} onKeyDownCapture={forgetKeyPress}>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

const SignedIn = lazyComponent(async () => (await import('./features/auth/signed-in.tsx')).SignedIn)

type Loaded = Omit<Route.ComponentProps['loaderData'], 'head'>

/** What is around every page (NAV-21, NAV-22), also around the one that says that something broke. */
function Frame({ loaded, children }: { loaded: Loaded; children: React.ReactNode }) {
  const { user, theme, settings, unread, conversation, timeZone, away } = loaded
  useLive(user?.id ?? null, loaded.version)
  const { search } = useLocation()
  const isOpen = isPanelOpen(search)
  const mayChat = user !== null && user.role !== 'admin'
  // Says that the page answers to presses, for tests and style sheets.
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
    return watchConnection()
  }, [])
  // Fetched in advance: without a connection the panel could not open.
  useEffect(() => {
    if (mayChat) warmPanel()
  }, [mayChat])
  return (
    <>
      <SkipLink />
      <NavigationBar shopName={settings.name} theme={theme} offersLogin={user === null}>
        {user && <SignedIn user={user} unread={unread} />}
      </NavigationBar>
      <ConnectionBar />
      {children}
      {isOpen && mayChat && (
        <MessagePanel key={user.id} userId={user.id} ownerName={settings.ownerName} {...{ conversation, timeZone, away }} />
      )}
      <Toasts first={loaded.flash} />
    </>
  )
}

const SkipLink = () => (
  <a className="skip button" href="#main">
    Skip to the content
  </a>
)

type Handle = { hasFooter?: boolean } | undefined

export default function App({ loaderData }: Route.ComponentProps) {
  const { name, city, terms } = loaderData.settings
  const hasFooter = useMatches().some(({ handle }) => (handle as Handle)?.hasFooter)
  return (
    <Frame loaded={loaderData}>
      <Outlet />
      {hasFooter && <Footer shop={{ name, city: city === NO_CITY ? null : city, terms }} />}
    </Frame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const loaded = useRouteLoaderData<typeof loader>('root')
  if (loaded)
    return (
      <Frame loaded={loaded}>
        <ErrorPage error={error} />
      </Frame>
    )
  return (
    <>
      <SkipLink />
      <NavigationBar shopName={SHOP_NAME} />
      <ErrorPage error={error} />
      <Toasts first={none} />
    </>
  )
}
const none: string[] = []
