export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Item</h1>
    </main>
  )
}
