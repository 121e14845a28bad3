/** Assigns a route file to every URL of the shop. */
import { index, layout, prefix, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/store/home.tsx'),
  route('gallery/:categoryid?', 'routes/store/gallery.tsx'),
  route('item/:itemid', 'routes/store/item.tsx'),
  route('about', 'routes/store/about.tsx'),
  route('contact', 'routes/store/contact.tsx'),
  route('contact/card.vcf', 'routes/resources/business-card.ts'),
  route('testimonials', 'routes/store/testimonials.tsx'),
  route('writetestimonials/:testimonyid', 'routes/store/write-testimony.tsx'),
  route('login', 'routes/account/login.tsx'),
  route('reset-password', 'routes/account/reset-password.tsx'),
  route('confirm-email', 'routes/account/confirm-email.tsx'),
  route('login/code', 'routes/account/login-code.tsx'),

  // Most of these URLs show no page. Some receive forms, and login providers redirect browsers to others.
  route('login/:provider', 'routes/account/oauth-start.ts'),
  route('login/:provider/back', 'routes/account/oauth-callback.ts'),
  route('logout', 'routes/account/logout.ts'),
  route('link-guest', 'routes/account/link-guest.tsx'),
  route('theme', 'routes/account/theme.ts'),
  route('favourite', 'routes/account/favorite.ts'),
  route('messages', 'routes/account/messages.ts'),
  route('messages/earlier/:orderid', 'routes/account/earlier-messages.ts'),
  route('messages/pictures/:name?', 'routes/resources/message-image.ts'),
  route('order-request', 'routes/account/order-request.ts'),
  route('offer', 'routes/account/offer.ts'),

  // These URLs receive the forms of the account page. The layout of the account page protects the URLs, because only customers and the owner may send these forms.
  ...prefix('account', [
    layout('routes/account/layout.tsx', [
      index('routes/account/account.tsx'),
      route('orders', 'routes/account/orders.tsx'),
      route('second-factor', 'routes/account/two-factor.tsx'),
      ...['name', 'photo', 'password', 'devices', 'data', 'delete', 'unlink', 'email', 'verification'].map((name) =>
        route(name, 'routes/account/account-form.ts', { id: `routes/account/form-${name}` }),
      ),
    ]),
  ]),

  // The owner's previews are outside the layout of the admin area, because the previews look like pages for visitors.
  route('manage/home/preview', 'routes/manage/home-preview.tsx'),
  route('manage/about/preview', 'routes/manage/about-preview.tsx'),
  // The market stall is outside of this layout as well, because it works offline as an installed app.
  ...prefix('manage/market', [
    index('routes/manage/market.tsx'),
    route('sales', 'routes/manage/market-sales.ts'),
    route('sw.js', 'routes/manage/market-service-worker.ts'),
    route('app.webmanifest', 'routes/manage/market-manifest.ts'),
  ]),
  ...prefix('manage', [
    layout('routes/manage/layout.tsx', [
      index('routes/manage/dashboard.tsx'),
      route('home', 'routes/manage/home.tsx'),
      route('about', 'routes/manage/about.tsx'),
      route('category', 'routes/manage/categories.tsx'),
      route('colors', 'routes/manage/colors.tsx'),
      route('item/:itemid?', 'routes/manage/items.tsx'),
      route('arrange', 'routes/manage/arrange-items.tsx'),
      route('item-picture', 'routes/manage/upload-item-image.ts'),
      route('messages/:orderid?', 'routes/manage/messages.tsx'),
      route('offer/:orderid', 'routes/manage/offer.tsx'),
      route('queue', 'routes/manage/production-queue.tsx'),
      route('replies', 'routes/manage/messaging-settings.tsx'),
      route('packing-slip/:offerid', 'routes/manage/packing-slip.ts'),
      route('sales', 'routes/manage/sales.tsx'),
      route('sales/add', 'routes/manage/add-sale.tsx'),
      route('papers.pdf', 'routes/manage/print-documents-pdf.ts'),
      route('sales.csv', 'routes/manage/sales-csv.ts'),
      route('receipts.csv', 'routes/manage/receipts-csv.ts'),
      route('reports', 'routes/manage/reports.tsx'),
      route('reports/sales', 'routes/manage/sales-drilldown.tsx'),
      route('testimonials', 'routes/manage/testimonials.tsx'),
      route('discount', 'routes/manage/discounts.tsx'),
      route('mail', 'routes/manage/email-outbox.tsx'),
      route('history', 'routes/manage/audit-log.tsx'),
      route('settings', 'routes/manage/settings.tsx'),
      route('logo', 'routes/manage/logo.ts'),
      route('status', 'routes/manage/status.tsx'),
      route('backups', 'routes/manage/backups.tsx'),
      route('backups/file', 'routes/manage/download-backup.ts'),
      route('customer-data', 'routes/manage/customer-data.tsx'),
      route('customer-data/file', 'routes/manage/download-customer-data.ts'),
      route('tables', 'routes/manage/import-export.tsx'),
      route('items.csv', 'routes/manage/items-csv.ts'),
      route('check.csv', 'routes/manage/import-report-csv.ts'),
      route('moved', 'routes/manage/firestore-imports.tsx'),
      route('documents.json', 'routes/manage/download-documents.ts'),
    ]),
  ]),

  route('pictures/*', 'routes/resources/image.ts'),
  // These URLs are for search engines, for other sites, and for browsers that install the shop as an app.
  route('share/*', 'routes/resources/share-image.ts'),
  route('sitemap.xml', 'routes/resources/sitemap.ts'),
  route('robots.txt', 'routes/resources/robots.ts'),
  route('manifest.webmanifest', 'routes/resources/manifest.ts'),
  route('*', 'routes/store/not-found.ts'),
] satisfies RouteConfig
