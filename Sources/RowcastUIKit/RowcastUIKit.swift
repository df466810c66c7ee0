/// Lists in the views of UIKit and AppKit. On other systems this module has only what it exports again.
@_exported public import Rowcast
