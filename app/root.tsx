import { useEffect } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from 'react-router'
import figtree from './ui/fonts/figtree.woff2?url'
import fraunces from './ui/fonts/fraunces-560.woff2?url'
import {
  forgetKeyPress,
  guardSubmit,
  ignoreDoubleClick,
  keepPage,
} from './client/failed-requests.ts'
import { readVacationNotice } from './features/settings/vacation.server.ts'
import { getUnreadCountCached } from './features/conversation/read-receipts.server.ts'
import { readConversation } from './features/messaging/messages.server.ts'
import { readBefore, isPanelOpen } from './ui/message-panel-url.ts'
import { MessagePanel, preloadPanel } from './features/messaging/panel/message-panel.lazy.tsx'
import { OFFLINE_COPY_HEADER } from './features/market-stall/direct-sale.ts'
import { logoUrl } from './features/branding/logo.ts'
import { accentCss, DEFAULT_ACCENT } from './features/settings/accents.ts'
import { CurrencyContext } from './features/pricing/currency-context.ts'
import { getSettingsCached } from './features/settings/settings.server.ts'
import { getPageMetaCached, withoutCrawlerTags } from './features/seo/page-meta.server.ts'
import { themeColors } from './features/seo/manifest.ts'
import { requestInfoContext, appContext, userContext } from './services/context.ts'
import { watchConnectivity } from './client/connectivity.ts'
import { useLive } from './client/use-live.ts'
import { ShopTimeZoneContext } from './client/use-time-zone.ts'
import { takeFlash } from './routes/action-response.server.ts'
import { OfflineBanner } from './ui/offline-banner.tsx'
import { ErrorPage } from './ui/error-page.tsx'
import { footerOf } from '#settings/footer.ts'
import { Footer } from './ui/layout/footer.tsx'
import { lazyComponent } from './ui/lazy-component.tsx'
import { LogoContext } from './ui/layout/knot-mark.tsx'
import { NavigationBar } from './ui/layout/navigation-bar.tsx'
import { useShownTheme } from './ui/layout/theme-toggle.tsx'
import { Toasts } from './ui/toasts.tsx'
import type { Route } from './+types/root'
import { frameTexts } from './ui/texts.ts'
import './ui/tokens.css'
import './ui/page-change.css'
import './ui/base.css'
import './ui/components.css'
import './ui/utilities.css'

export const links: Route.LinksFunction = () => [
  ...[figtree, fraunces].map((href) => ({
    rel: 'preload',
    as: 'font',
    type: 'font/woff2',
    crossOrigin: 'anonymous' as const,
    href,
  })),
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

const SHOP_NAME = 'Knots & Love'

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPage]

/** Routes that search engines may index use this `meta`. All other routes export their own. */
export const meta: Route.MetaFunction = ({ loaderData, error }) =>
  (!error && loaderData?.head) || [
    { title: loaderData?.settings.name ?? SHOP_NAME },
    { name: 'robots', content: 'noindex' },
  ]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const info = context.get(requestInfoContext)
  const user = context.get(userContext)
  const isCopy = request.headers.has(OFFLINE_COPY_HEADER)
  const { search } = new URL(request.url)
  const hasPanel = user !== null && user.role !== 'owner' && isPanelOpen(search)
  // The version is read first, so that the browser notices a change during the other reads.
  const version = app.live.version(user?.id ?? null)
  const settings = await getSettingsCached(app)
  const { name, logo, tagline, terms, ownerName } = settings
  // If the database fails, the page itself shows the error. [ERR-01]
  const head = await getPageMetaCached(app, { origin: info.origin, settings, url }).catch(
    () => null,
  )
  return {
    // Because of '', the live connection loads the data of a stored copy again.
    version: isCopy ? '' : version,
    user: user && {
      id: user.id,
      name: isCopy ? ownerName : user.name,
      email: isCopy ? '' : user.email,
      image: isCopy ? null : user.image,
      role: user.role,
      ...(user.hasSecondFactor && { hasSecondFactor: true }),
    },
    theme: info.theme ?? settings.defaultTheme,
    accent: settings.accent === DEFAULT_ACCENT ? '' : accentCss(settings.accent),
    settings: { name, logo, tagline, terms, ownerName, ...footerOf(settings) },
    head: user ? withoutCrawlerTags(head) : head,
    timeZone: app.timeZone,
    currency: app.currency,
    unread: user && !isCopy ? await getUnreadCountCached(app, user) : 0,
    conversation: hasPanel
      ? await readConversation(app.db, user.id, user.id, readBefore(search))
      : null,
    away: hasPanel ? await readVacationNotice(app) : null,
    flash: isCopy ? [] : takeFlash(request, info),
  }
}

export function Layout({ children }: { children: React.ReactNode }) {
  const rootData = useRouteLoaderData<typeof loader>('root')
  const theme = useShownTheme(rootData?.theme)
  const logo = rootData?.settings.logo
  return (
    <html
      lang="en"
      data-theme={theme}
    >
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1"
        />
        {/* The browser paints the theme's background before any style sheet is loaded. */}
        <meta
          name="color-scheme"
          content={theme}
        />
        <meta
          name="theme-color"
          content={themeColors[theme]}
        />
        <Meta />
        <link
          rel="icon"
          type={logo ? 'image/png' : 'image/svg+xml'}
          href={logo ? logoUrl(logo, 'favicon.png') : '/favicon.svg'}
        />
        <link
          rel="apple-touch-icon"
          href={logo ? logoUrl(logo, 'touch.png') : '/apple-touch-icon.png'}
        />
        <Links />
        {rootData?.accent && <style>{rootData.accent}</style>}
      </head>
      <body
        onSubmitCapture={guardSubmit}
        onClickCapture={ignoreDoubleClick}
        onKeyDownCapture={forgetKeyPress}
      >
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

const SignedIn = lazyComponent(
  async () => (await import('./routes/account/signed-in.tsx')).SignedIn,
)

type Loaded = Omit<Route.ComponentProps['loaderData'], 'head'>

function Frame({ rootData, children }: { rootData: Loaded; children: React.ReactNode }) {
  const { user, theme, settings, unread, conversation, away } = rootData
  useLive(user?.id ?? null, rootData.version)
  const { search } = useLocation()
  const isOpen = isPanelOpen(search)
  const mayChat = user !== null && user.role !== 'owner'
  // Tells tests and CSS that the page is hydrated.
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
    return watchConnectivity()
  }, [])
  // Loads the code in advance, because an offline browser could not load it.
  useEffect(() => {
    if (mayChat) preloadPanel()
  }, [mayChat])
  return (
    <CurrencyContext value={rootData.currency}>
      <ShopTimeZoneContext value={rootData.timeZone}>
        <LogoContext value={settings.logo && logoUrl(settings.logo, 'mark.webp')}>
          <SkipLink />
          <NavigationBar
            shopName={settings.name}
            theme={theme}
            offersLogin={user === null}
          >
            {user && (
              <SignedIn
                user={user}
                unread={unread}
              />
            )}
          </NavigationBar>
          <OfflineBanner />
          {children}
          {isOpen && mayChat && (
            <MessagePanel
              key={user.id}
              userId={user.id}
              ownerName={settings.ownerName || settings.name}
              conversation={conversation}
              away={away}
              isGuest={user.role === 'guest'}
            />
          )}
          <Toasts first={rootData.flash} />
        </LogoContext>
      </ShopTimeZoneContext>
    </CurrencyContext>
  )
}

const SkipLink = () => (
  <a
    className="skip button"
    href="#main"
  >
    {frameTexts.skip}
  </a>
)

type Handle = { hasFooter?: boolean } | undefined

export default function App({ loaderData }: Route.ComponentProps) {
  const hasFooter = useMatches().some(({ handle }) => (handle as Handle)?.hasFooter)
  return (
    <Frame rootData={loaderData}>
      <Outlet />
      {hasFooter && <Footer shop={loaderData.settings} />}
    </Frame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const rootData = useRouteLoaderData<typeof loader>('root')
  if (rootData) {
    return (
      <Frame rootData={rootData}>
        <ErrorPage error={error} />
      </Frame>
    )
  }
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
