export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Sales</h1>
    </main>
  )
}
