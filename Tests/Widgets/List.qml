// A list that keeps the delegates of rows that went out of it, for rows that come in.
import QtQuick
import Qt.labs.qmlmodels

Window {
  id: root
  property int created: 0
  property int destroyed: 0
  property int pooled: 0
  property int reused: 0
  property alias model: list.model
  property alias list: list
  width: 200
  height: 240
  visible: true

  // Lays the list out. The delegates that are then on the screen, from top to bottom, each with its index.
  function layOut() {
    list.forceLayout()
    const delegates = []
    for (let index = 0; index < list.count; index++) {
      const item = list.itemAtIndex(index)
      if (item && item.y + item.height > list.contentY && item.y < list.contentY + list.height) delegates.push([index, item])
    }
    return delegates
  }

  function identities() { return JSON.stringify(layOut().map(([index, item]) => item.identity)) }

  function shown() {
    const rows = layOut().map(([index, item]) =>
      [index, item.identity, item.kind, item.text, item.serial, item.y - list.contentY])
    return JSON.stringify({count: list.count, rows: rows, counts: [root.created, root.destroyed, root.pooled, root.reused]})
  }

  function scrollTo(index) {
    list.forceLayout()
    list.positionViewAtIndex(index, ListView.Beginning)
    list.forceLayout()
  }

  component Row: Rectangle {
    required property string identity
    required property string kind
    required property string text
    property int serial: 0
    width: 200
    height: 20
    Component.onCompleted: { serial = ++root.created }
    Component.onDestruction: root.destroyed++
    ListView.onPooled: root.pooled++
    ListView.onReused: root.reused++
  }

  ListView {
    id: list
    anchors.fill: parent
    reuseItems: true
    cacheBuffer: 0
    delegate: DelegateChooser {
      role: "kind"
      DelegateChoice { roleValue: "header"; Row { color: "lightgray" } }
      DelegateChoice { roleValue: "row"; Row { color: "white" } }
      DelegateChoice { roleValue: "other"; Row { color: "yellow" } }
    }
  }
}
