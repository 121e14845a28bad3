/** The table of contents: every address of the shop. */
import { index, layout, prefix, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/store/home.tsx'),
  route('gallery/:categoryid?', 'routes/store/gallery.tsx'),
  route('item/:itemid', 'routes/store/item.tsx'),
  route('about', 'routes/store/about.tsx'),
  route('contact', 'routes/store/contact.tsx'),
  route('contact/card.vcf', 'routes/machine/business-card.ts'),
  route('testimonials', 'routes/store/testimonials.tsx'),
  route('writetestimonials/:testimonyid', 'routes/store/write-testimony.tsx'),
  route('login', 'routes/account/login.tsx'),
  route('reset-password', 'routes/account/reset-password.tsx'),
  route('confirm-email', 'routes/account/confirm-email.tsx'),
  route('login/code', 'routes/account/login-code.tsx'),

  // Addresses that only take forms.
  route('login/:provider', 'routes/account/provider.ts'),
  route('login/:provider/back', 'routes/account/provider-back.ts'),
  route('logout', 'routes/account/logout.ts'),
  route('link-guest', 'routes/account/link-guest.tsx'),
  route('theme', 'routes/account/theme.ts'),
  route('favourite', 'routes/account/favourite.ts'),
  route('messages', 'routes/account/messages.ts'),
  route('messages/earlier/:orderid', 'routes/account/earlier-messages.ts'),
  route('messages/pictures/:name?', 'routes/machine/chat-picture.ts'),
  route('order-request', 'routes/account/order-request.ts'),

  // One's own account; what takes its forms stands behind the same gate.
  ...prefix('account', [
    layout('routes/account/gate.tsx', [
      index('routes/account/account.tsx'),
      route('second-factor', 'routes/account/second-factor.tsx'),
      ...['name', 'photo', 'password', 'devices', 'data', 'delete', 'email', 'verification'].map((name) =>
        route(name, 'routes/account/account-form.ts', { id: `routes/account/form-${name}` }),
      ),
    ]),
  ]),

  ...prefix('manage', [
    layout('routes/manage/gate.tsx', [
      index('routes/manage/welcome.tsx'),
      route('category', 'routes/manage/category.tsx'),
      route('colors', 'routes/manage/colors.tsx'),
      route('item/:itemid?', 'routes/manage/item.tsx'),
      route('item-picture', 'routes/manage/item-picture.ts'),
      route('messages/:orderid?', 'routes/manage/messages.tsx'),
      route('replies', 'routes/manage/replies.tsx'),
      route('sales', 'routes/manage/sales.tsx'),
      route('papers.pdf', 'routes/manage/papers-pdf.ts'),
      route('sales.csv', 'routes/manage/sales-csv.ts'),
      route('receipts.csv', 'routes/manage/receipts-csv.ts'),
      route('reports', 'routes/manage/reports.tsx'),
      route('reports/sales', 'routes/manage/sales-behind.tsx'),
      route('testimonials', 'routes/manage/testimonials.tsx'),
      route('discount', 'routes/manage/discount.tsx'),
      route('mail', 'routes/manage/mail.tsx'),
      route('history', 'routes/manage/history.tsx'),
      route('settings', 'routes/manage/settings.tsx'),
      route('status', 'routes/manage/status.tsx'),
      route('backups', 'routes/manage/backups.tsx'),
      route('backups/file', 'routes/manage/backup-file.ts'),
      route('customer-data', 'routes/manage/customer-data.tsx'),
      route('customer-data/file', 'routes/manage/customer-file.ts'),
      route('tables', 'routes/manage/tables.tsx'),
      route('items.csv', 'routes/manage/items-csv.ts'),
      route('check.csv', 'routes/manage/check-csv.ts'),
      route('moved', 'routes/manage/moved.tsx'),
      route('documents.json', 'routes/manage/documents.ts'),
    ]),
  ]),

  route('pictures/*', 'routes/machine/picture.ts'),
  // For search engines, other sites and the machine that installs the shop.
  route('share/*', 'routes/machine/share-picture.ts'),
  route('sitemap.xml', 'routes/machine/site-map.ts'),
  route('robots.txt', 'routes/machine/robots.ts'),
  route('manifest.webmanifest', 'routes/machine/manifest.ts'),
  // NAV-19: any other path goes home.
  route('*', 'routes/store/elsewhere.ts'),
] satisfies RouteConfig
